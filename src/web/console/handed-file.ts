/** A file on its way from the page on which it was dropped to the page that takes it. */
let handed: File | null = null

/** Opens the page at a hash, which takes the file. */
export function handOver(file: File, hash: string): void {
  handed = file
  location.hash = hash
}

/** The file for the page that is opened, once. */
export function takeHanded(): File | null {
  const file = handed
  handed = null
  return file
}
