/**
 * When a source has made an answer, where the answer itself has no time: by the source's clock (`Date`, RFC 9110 6.6.1), and as old as a
 * cache on the way says that it is (`Age`, RFC 9111 5.1). Without either it is as young as can be.
 * @returns never later than `now`
 */
export function answeredAt(headers: Headers, now: Date): Date {
  const made = Date.parse(headers.get('date') ?? '')
  const kept = /^\d{1,9}$/.exec(headers.get('age') ?? '')
  // The header has whole seconds, rounded down.
  const sinceMade = Number.isNaN(made) ? 0 : now.getTime() - (made + 999)
  return new Date(now.getTime() - Math.max(0, sinceMade, Number(kept?.[0] ?? 0) * 1000))
}
