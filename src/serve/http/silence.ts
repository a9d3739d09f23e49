/** Closes connections on which expected bytes do not move: those of a request, or of a reply that its client reads. */
import { clearInterval, setInterval } from 'node:timers'
import type { Connection, Exchange } from './exchange.ts'

export interface SilenceHandlers {
  /** Answers a request whose head began to arrive and then stopped. */
  readonly onHalfRequest: (connection: Connection) => void
  /** Runs at every look at the connections. @param now by performance.now() */
  readonly onLook: (now: number) => void
}

/** The number of looks at all connections within the silence limit. */
const LOOKS = 10
/** The number of looks for which a connection stays open after its last reply, while its client finishes sending. */
const LOOKS_TO_END = 2

/** Looks at every connection at intervals, which costs less than a timer for each. Returns the function that stops it. */
export function watchSilence(
  connections: Iterable<Connection>,
  silenceMs: number,
  { onHalfRequest, onLook }: SilenceHandlers,
): () => void {
  const look = (): void => {
    onLook(performance.now())
    for (const connection of connections) {
      const { current, isEnding } = connection
      connection.silentLooks += 1
      if (isEnding) destroyAfter(LOOKS_TO_END, connection)
      else if (current !== null) lookAt(current)
      else if (isHalfRequest(connection)) onHalfRequest(connection)
    }
  }
  const looking = setInterval(look, silenceMs / LOOKS).unref()
  return () => clearInterval(looking)
}

/** The client has to send the body or to read the reply; while the request waits or is computed, it may be silent. */
function lookAt({ connection, request, response }: Exchange): void {
  const isReceiving = !request.complete && request.readableFlowing === true
  if (response.headersSent || (isReceiving && !hasArrived(connection))) destroyAfter(LOOKS, connection)
  else if (!isReceiving) connection.silentLooks = 0
}

/** Between two requests the server's keep-alive timeout applies; before the first one, a connection may not be silent. */
function isHalfRequest(connection: Connection): boolean {
  const { bytesRead, writableEnded } = connection.socket
  if (hasArrived(connection)) return false
  if (bytesRead === 0 || writableEnded) destroyAfter(LOOKS, connection)
  else return bytesRead !== connection.readAtRest && connection.silentLooks >= LOOKS - LOOKS_TO_END
  return false
}

/** Whether bytes have arrived since the last look. */
function hasArrived(connection: Connection): boolean {
  const { bytesRead } = connection.socket
  if (bytesRead === connection.readAtLook) return false
  connection.readAtLook = bytesRead
  // The bytes arrived within the interval before this look.
  connection.silentLooks = 1
  return true
}

function destroyAfter(looks: number, { silentLooks, socket }: Connection): void {
  if (silentLooks >= looks) socket.destroy()
}
