/** A program that uses the installed client, to be run in one of the runtimes. */
export interface Program {
  /** A project with the client in node_modules. */
  readonly folder: string
  /** JavaScript. */
  readonly code: string
  /** A free port, whose origin on 127.0.0.1 may use the service. */
  readonly port: number
}
