/** The order of a request, which every kind of request follows: authenticate → receive → admit → act → settle → reply. */

/** The result of a step. One that is there already is not wrapped in a promise, because each promise costs time in every call. */
export type Result<Value> = Value | Promise<Value>

/** The steps of a kind of request. Each takes what the step before it has returned, so a kind that skips a step does not compile. */
export interface Steps<Asked, Known, Received, Admitted, Acted, Settled, Answer> {
  /** Recognises who asks, and refuses those who may not. */
  authenticate(asked: Asked): Promise<Known>
  /** Receives the request and checks it. */
  receive(asked: Asked, known: Known): Result<Received>
  /** Counts the request, or refuses it; after the body, which may have arrived slowly. */
  admit(received: Received): Result<Admitted>
  act(admitted: Admitted): Result<Acted>
  /** Makes durable what the reply will say. */
  settle(acted: Acted): Result<Settled>
  reply(settled: Settled): Answer
  /** The answer to a request that a step has refused by an error. @param known null: it was not recognised */
  refuse(error: unknown, asked: Asked, known: Known | null, received: Received | null): Answer
  /** Frees what the receipt has taken, once the request has been answered or refused. */
  end?(received: Received): void
}

/** Answers requests by these steps. */
export const inOrder =
  <Asked, Known, Received, Admitted, Acted, Settled, Answer>(
    steps: Steps<Asked, Known, Received, Admitted, Acted, Settled, Answer>,
  ) =>
  async (asked: Asked): Promise<Answer> => {
    let known: Known | null = null
    let received: Received | null = null
    try {
      known = await steps.authenticate(asked)
      const receiving = steps.receive(asked, known)
      received = receiving instanceof Promise ? await receiving : receiving
      const admitting = steps.admit(received)
      const acting = steps.act(admitting instanceof Promise ? await admitting : admitting)
      const settling = steps.settle(acting instanceof Promise ? await acting : acting)
      return steps.reply(settling instanceof Promise ? await settling : settling)
    } catch (error) {
      return steps.refuse(error, asked, known, received)
    } finally {
      if (received !== null) steps.end?.(received)
    }
  }

/** The step of a kind of request that has nothing to do in it. */
export const pass = <Value>(value: Value): Value => value
