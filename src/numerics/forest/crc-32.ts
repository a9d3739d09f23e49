/** The checksum CRC-32 (ISO/IEC 3309): finds every burst of errors of up to 32 bits, and others but for one in 2³². */

const TABLE = Uint32Array.from({ length: 0x100 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ ((rest & 1) * 0xedb88320)
  return rest
})

export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ TABLE[(rest ^ bytes[i]) & 0xff]
  return ~rest >>> 0
}
