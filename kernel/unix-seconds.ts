/** The last second of the year 9999: what lies above is milliseconds, sent by mistake. */
const LATEST = 253_402_300_799

/** Whether a number is a moment after 1970 in whole Unix seconds. */
export function isUnixSeconds(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds > 0 && seconds <= LATEST
}

/** The moment in ISO 8601, as a DateTime is written. @param seconds whole Unix seconds */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** The Unix seconds of a moment in ISO 8601; not whole where it lies between two. */
export function unixSecondsOf(iso: string): number {
  return Date.parse(iso) / 1000
}
