/** The roles of operators' tokens, and the acts for which QUANTD_TWO_PERSONS can require the confirmation of a second person. */

/** Each role has all rights of those before it. */
export const ROLES = ['viewer', 'support', 'billing', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)

/** For each act, whether the setting may state the number of credits from which a second person is needed. */
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

/** The acts that need a second person, with the least number of credits; 0: always. */
export type TwoPersons = Readonly<Partial<Record<TwoPersonAct, number>>>

/** Whether an act that moves this number of credits needs a second person. */
export function needsSecond(twoPersons: TwoPersons, act: TwoPersonAct, credits: number): boolean {
  const limit = twoPersons[act]
  return limit !== undefined && credits >= limit
}
