import { AppError } from '../../kernel/errors.js'

/** What something is refused with. @throws Error where it is not, or fails in a way that no code stands for */
export async function refusal(attempt: Promise<unknown>): Promise<AppError> {
  const error: unknown = await attempt.catch((cause: unknown) => cause)
  if (error instanceof AppError) return error
  throw new Error('an AppError was expected', { cause: error })
}

/** The code that something is refused with; `done` where it is not. */
export function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )
}
