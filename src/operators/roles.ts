/** The roles of operators' tokens. */

/** Each role has all rights of those before it. */
export const ROLES = ['viewer', 'support', 'billing', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)
