/** Why a goal is missed, by the id of its row; printed only while it is. */

export const explanations: Readonly<Record<string, string>> = {}
