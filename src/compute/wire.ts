/** The forms in which a computation reads bodies and prints results: JSON, or a stream of Arrow record batches. */
export type Encoding = 'json' | 'arrow'

export interface Wire {
  readonly body: Encoding
  readonly reply: Encoding
}

export const JSON_WIRE: Wire = { body: 'json', reply: 'json' }
