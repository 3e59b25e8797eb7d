import { UsageError } from '../../../kernel/command-line.js'
import { AppError } from '../../../kernel/errors.js'

/** Runs a use case for a command: what it says of a field is told of the option of that name. Throws UsageError. */
export async function usageOf<T>(work: Promise<T>, options: Readonly<Record<string, string>> = {}): Promise<T> {
  try {
    return await work
  } catch (error) {
    const [wrong] = error instanceof AppError ? (error.errors ?? []) : []
    if (!wrong) throw error
    const option = options[wrong.field] ?? wrong.field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
    throw new UsageError(`--${option} ${wrong.message}.`)
  }
}
