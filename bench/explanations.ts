/** Why a goal is missed, by the id of its row; printed only while it is. */

const onTwoCores =
  'The generator, and PostgreSQL where it is used, take their processor time from the same two cores, and each process has only half of the calls to put into one transaction.'

export const explanations: Readonly<Record<string, string>> = {
  'http-sqlite':
    'The ratio moves with the machine: within an hour the bare route answered 33,000 requests/s in some runs and 44,000 in others, at 28 or 22 µs of processor time each, and this service 19,000 to 22,000, at 46 to 40 µs: about 0.60 in the first state of the machine and 0.51 to 0.52 in the second, for what the kernel does for the disk and the sockets does not become faster with it. Of 43 µs in a profile, writing the reply with its 14 headers takes 9, SQLite’s transaction 8, forcing the log to disk 6.5 (shared by some 20 calls); the rest is reading the request, checking it and keeping account of it, no part of it above 1.',
  'http-fastapi': 'The same call as above: what durability costs is what is missing.',
  'http-postgres':
    'Between 0.32 and 0.41 in the runs of a day. Two round trips and a COMMIT on the other core for each batch of 18 to 28 calls, one batch at a time: a third of the time our core waits. Beginning the next batch behind a COMMIT under way makes smaller batches, and was measured: 0.78 to 1.05 of the throughput. Of the processor time of a call (52 to 69 µs) socket writes are a quarter, the driver and the rows about as much, the rest is as on SQLite; PostgreSQL spends another 30 µs on the core that it shares with the generator.',
  'processes-books-sqlite': `${onTwoCores} One process holds the SQLite file; each batch crosses from the other one and back as a message, which costs more than the second core gives.`,
  'processes-books-postgresql': `${onTwoCores} Both work for one account here, whose row they lock in turn.`,
  'processes-work-postgresql': onTwoCores,
  batch:
    'Of 2.7 µs a call, reading, checking, pricing and printing take 1.6 µs (JSON.parse 0.53 µs, which is the floor, counting brackets and commas before it 0.2 µs, validation 0.3 µs, price 0.1 µs, text 0.2 µs); the rest goes to moving the bytes between socket, threads and socket, to collecting garbage in the worker, whose young generation is kept small so that a thread which hoards memory is ended and not the process, and to the waits for admission and for the disk. The goal leaves 1.9 µs, and less with each gain of the single calls: these became a sixth faster.',
}
