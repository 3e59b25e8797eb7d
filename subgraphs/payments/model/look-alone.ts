/** No rarer, however old it is. */
const LONGEST_MS = 300_000

/**
 * Whether nodes are to be asked about one transaction alone that the watch of its chain shows in no block: some time after it was
 * handed in, and then each time its age has grown by a quarter. Until then the watch, which asks for all at once, is enough.
 * @param askedAt when they were asked so last, ISO 8601
 * @param overdueMs how old it is the first time
 */
export function isLookDue(
  { since, askedAt, now }: { since: Date; askedAt: string | undefined; now: Date },
  overdueMs: number,
): boolean {
  const ageMs = now.getTime() - since.getTime()
  if (askedAt === undefined) return ageMs >= overdueMs
  const pauseMs = Math.min(Math.max(ageMs / 4, overdueMs / 2), LONGEST_MS)
  return now.getTime() - new Date(askedAt).getTime() >= pauseMs
}
