/** An error of JSON-RPC as the reply to a message. */
import { ExpectedError, type FailureCode } from '../../base/failure.ts'

export type RpcId = string | number | null

// JSON-RPC 2.0, section 5.1
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603
/** One of the codes that JSON-RPC leaves to servers. */
export const SERVER_ERROR = -32_000

interface Where {
  readonly id?: RpcId
  /** The HTTP status; 200 if the message itself was well-formed. */
  readonly status?: number
  /** The code by which the reply is counted. */
  readonly failureCode?: FailureCode
}

export class ProtocolRefusal extends ExpectedError {
  override readonly name = 'ProtocolRefusal'
  readonly code: number
  readonly id: RpcId
  readonly status: number
  readonly failureCode: FailureCode

  constructor(
    code: number,
    message: string,
    { failureCode = 'invalid_json', id = null, status = 200 }: Where = {},
  ) {
    super(message)
    this.failureCode = failureCode
    this.code = code
    this.id = id
    this.status = status
  }
}

/** @param data further fields of the error */
export const errorReply = (id: RpcId, code: number, message: string, data?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
