/** The forms in which a computation reads bodies and prints results: JSON, or a stream of Arrow record batches. */
export type Encoding = 'json' | 'arrow'

export interface Wire {
  readonly body: Encoding
  readonly reply: Encoding
  /** Whether each row of a batch or of columns is to have a proof. */
  readonly provesRows?: boolean
}

export const JSON_WIRE: Wire = { body: 'json', reply: 'json' }
