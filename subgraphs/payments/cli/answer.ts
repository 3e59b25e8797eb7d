/** What a command prints as JSON, and its exit code: 1 where nothing was to be done, or something is wrong. */
export type Answer = Promise<{ answer: object; code: number }>
