/** Why a goal is missed, by the id of its row; printed only while it is. */

const onTwoCores =
  'The generator, and PostgreSQL where it is used, take their processor time from the same two cores, and each process has only half of the calls to put into one transaction.'

export const explanations: Readonly<Record<string, string>> = {
  'http-sqlite':
    'Parts taken out one at a time, at 48 µs of processor time a call: reading the request and writing the reply with its 14 headers 20 µs (the bare route, with its own validation and serialisation, 26 µs in the same run), SQLite’s transaction 11 µs (four B-trees, 10 pages of log to a batch of 15 calls), forcing the log to disk 9 µs (a quarter of a millisecond of kernel and device work, shared by those 15), key lookup 2 µs, everything else 6 µs. Larger batches would share the disk’s part better, but all 32 connections would then wait for the disk together: measured, nothing is gained. What durability costs, 20 µs, cannot fit into the 17 µs that the goal leaves.',
  'http-fastapi': 'The same call as above: what durability costs is what is missing.',
  'http-postgres':
    'Of the processor time of a call the HTTP part takes 20 µs, sending and reading 7 statements to a batch of some 15 calls about as much (a third of it system calls, the rest the driver and rows as JSON), collection of garbage 4 µs, the rest as on SQLite. And a fifth of the time is waiting: two round trips and a COMMIT on the other core for each batch, one batch at a time.',
  'processes-books-sqlite': `${onTwoCores} One process holds the SQLite file; each batch crosses from the other one and back as a message, which costs more than the second core gives.`,
  'processes-books-postgresql': `${onTwoCores} Both work for one account here, whose row they lock in turn.`,
  'processes-work-postgresql': onTwoCores,
  batch:
    'Of 2.7 µs a call, reading, checking, pricing and printing take 1.6 µs (JSON.parse 0.53 µs, which is the floor, counting brackets and commas before it 0.2 µs, validation 0.3 µs, price 0.1 µs, text 0.2 µs); the rest goes to moving the bytes between socket, threads and socket, to collecting garbage in the worker, whose young generation is kept small so that a thread which hoards memory is ended and not the process, and to the waits for admission and for the disk. The goal leaves 1.9 µs, and less with each gain of the single calls: these became a sixth faster.',
}
