import { UsageError, type OptionValues } from './command-line.js'

/**
 * A time that an option names: a day, which is its beginning in UTC, or a moment with its offset.
 * @returns undefined where the option is not there
 * @throws UsageError
 */
export function timeOption(values: OptionValues, option: string): Date | undefined {
  const value = values[option]
  if (typeof value !== 'string') return undefined
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(value)
  const time = new Date(value)
  if (!isTime || Number.isNaN(time.getTime()))
    throw new UsageError(`--${option} has to be a day or a time, e.g. 2026-01-31 or 2026-01-31T12:00:00Z.`)
  return time
}
