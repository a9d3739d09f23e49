/** A minimal WebAssembly assembler for numerical loops written by hand (WebAssembly Core Specification 2.0, §5). */

/** The part of the engine's interface that is used here; TypeScript declares it only for browsers. */
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number }) => Memory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly run: unknown } }
}

/** Linear memory; growing it by pages of 64 KiB detaches the buffer it had. */
export interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Encoded instructions. */
export type Code = readonly number[]

/** Memory operands are addresses in bytes plus a constant offset; f64x2 is a pair of numbers side by side. */
export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number): Code => [0x21, ...unsigned(local)]
export const i32Const = (value: number): Code => [0x41, ...signed(value)]
export const i32Less: Code = [0x49]
export const i32Add: Code = [0x6a]
export const i32Multiply: Code = [0x6c]
export const i32ShiftLeft: Code = [0x74]
export const i32Load: Code = [0x28, 2, 0]
export const i32Store: Code = [0x36, 2, 0]
export const f64x2Zero: Code = [...vector(0x0c), ...new Array(16).fill(0)]
export const f64x2Add: Code = vector(0xf0)
export const f64x2Multiply: Code = vector(0xf2)
export const v128Or: Code = vector(0x50)
export const v128AnyBit: Code = vector(0x53)
export const f64x2Load = (offset: number): Code => [...vector(0x00), 3, ...unsigned(offset)]
export const f64x2LoadTwice = (offset: number): Code => [...vector(0x0a), 3, ...unsigned(offset)]
export const f64x2Store = (offset: number): Code => [...vector(0x0b), 3, ...unsigned(offset)]

/** Runs the body if the value on top of the stack is true. */
export const when = (...body: Code[]): Code => [0x04, 0x40, ...body.flat(), 0x0b]

/** Repeats the body as long as it leaves a true condition on the stack. */
export const loopWhile = (...body: Code[]): Code => [0x03, 0x40, ...body.flat(), 0x0d, 0, 0x0b]

export interface Routine {
  /** i32 parameters; they are locals 0, 1, … */
  readonly parameters: number
  /** i32 and f64x2 locals, which follow in this order. */
  readonly integers: number
  readonly vectors: number
  readonly body: readonly Code[]
}

export function newMemory(): Memory {
  return new WebAssembly.Memory({ initial: 1 })
}

/** Compiles one routine without a result that works in `memory`. */
export function assemble(routine: Routine, memory: Memory): (...parameters: number[]) => void {
  const types = new Array(routine.parameters).fill(0x7f)
  const locals = [2, ...unsigned(routine.integers), 0x7f, ...unsigned(routine.vectors), 0x7b]
  const code = [...locals, ...routine.body.flat(), 0x0b]
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...unsigned(types.length), ...types, 0]),
    ...section(2, [1, ...name('host'), ...name('memory'), 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } })
  return instance.exports.run as (...parameters: number[]) => void
}

function vector(opcode: number): Code {
  return [0xfd, ...unsigned(opcode)]
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content]
}

function name(text: string): Code {
  return [text.length, ...Buffer.from(text, 'ascii')]
}

/** LEB128 of a number ≥ 0. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** LEB128 of a signed number. */
function signed(value: number): Code {
  const last = value >= -0x40 && value < 0x40
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
