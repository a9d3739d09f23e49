/** The Arrow columnar format (version 1.5, Schema.fbs and Message.fbs): its numbers, and the failure of a stream that breaks it. */

export const METADATA_V5 = 4
export const CONTINUATION = 0xffffffff
export const HEADER = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const
export const TYPE = { int: 2, float: 3, utf8: 5, bool: 6, date: 8, timestamp: 10, largeUtf8: 20 } as const
export const PRECISION = { single: 1, double: 2 } as const
/** The units of dates, of which the default is milliseconds; and those of timestamps, by their numbers, in a day. */
export const DATE_UNIT = { day: 0, millisecond: 1 } as const
export const TIMESTAMPS_PER_DAY = [86_400, 86_400e3, 86_400e6, 86_400e9]

/** The names of the types, in the order of their numbers, for messages. */
export const TYPE_NAMES = [
  'none',
  'null',
  'int',
  'float',
  'binary',
  'utf8',
  'bool',
  'decimal',
  'date',
  'time',
  'timestamp',
  'interval',
  'list',
  'struct',
  'union',
  'fixed_size_binary',
  'fixed_size_list',
  'map',
  'duration',
  'large_binary',
  'large_utf8',
  'large_list',
  'run_end_encoded',
  'binary_view',
  'utf8_view',
]

/** The entry of a schema's metadata that holds scalars, as a JSON object. */
export const METADATA_KEY = 'quantd'

/** The failure of a stream that cannot be read: the place of the fault, and its description. */
export class ArrowFault extends Error {
  /** `''` for the whole stream, or `/columns/…`. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** @param place the name of a column, or `name/row` */
export const columnFault = (place: string, message: string): ArrowFault =>
  new ArrowFault(`/columns/${place}`, message)

export const malformed = (problem: string): ArrowFault =>
  new ArrowFault('', `is not a well-formed Arrow stream: it ${problem}`)
