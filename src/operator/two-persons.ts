/** The acts that a second person can be asked to confirm (QUANTD_TWO_PERSONS), and who counts as one person. */

/** Name → whether a number of credits may follow, from which on the act needs a second person. */
export const TWO_PERSON_ACTS = {
  grant: true,
  reverse: true,
  delete: false,
  'set-tier': false,
  'set-limits': false,
  'reset-mfa': false,
  plan: false,
} as const
export type TwoPersonAct = keyof typeof TWO_PERSON_ACTS

/** The acts that need a second person, with the credits from which on they do; 0: always. */
export type TwoPersons = Readonly<Partial<Record<TwoPersonAct, number>>>

/** Whether an act of so many credits needs a second person. */
export function needsSecond(twoPersons: TwoPersons, act: TwoPersonAct, credits: number): boolean {
  const limit = twoPersons[act]
  return limit !== undefined && credits >= limit
}
