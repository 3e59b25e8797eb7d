/** When a market is open, as an oracle describes it; undefined where a description cannot be read. */
export type MarketHours = (at: Date) => boolean

/** Minutes of a day, from the first to before the last. */
type Span = readonly [from: number, to: number]

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const WHOLE_DAY: Span = [0, 24 * 60]

/**
 * Reads a schedule of Pyth's product metadata (docs.pyth.network, "Schedule Format"): `Timezone;Mon,…,Sun;MMDD/day,…`, a day
 * being `O` (open), `C` (closed) or spans such as `0930-1600`, joined by `&`. A holiday's day counts instead of its weekday's.
 */
export function readMarketHours(schedule: string): MarketHours | undefined {
  const [timeZone = '', week = '', holidays = ''] = schedule.split(';')
  const days = week.split(',').map(readDay)
  const special = new Map<string, readonly Span[]>()
  for (const holiday of holidays === '' ? [] : holidays.split(',')) {
    const [, date, day = ''] = /^(\d{4})\/(.+)$/.exec(holiday) ?? []
    const spans = readDay(day)
    if (date === undefined || !spans) return undefined
    special.set(date, spans)
  }
  const format = formatIn(timeZone)
  if (!format || days.length !== DAYS.length || days.includes(undefined)) return undefined
  return (at) => {
    const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const minute = Number(part.get('hour')) * 60 + Number(part.get('minute'))
    const date = `${part.get('month')}${part.get('day')}`
    const spans = special.get(date) ?? days[DAYS.indexOf(part.get('weekday') ?? '')] ?? []
    return spans.some(([from, to]) => minute >= from && minute < to)
  }
}

function readDay(text: string): readonly Span[] | undefined {
  if (text === 'O') return [WHOLE_DAY]
  if (text === 'C') return []
  const spans = text.split('&').map((span): Span | undefined => {
    const [, from, to] = /^([0-2]\d[0-5]\d)-([0-2]\d[0-5]\d)$/.exec(span) ?? []
    return from === undefined || to === undefined ? undefined : [minuteOf(from), minuteOf(to)]
  })
  return spans.every((span) => span !== undefined) ? spans : undefined
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(2))
}

function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', ...digits })
  } catch {
    return undefined
  }
}
