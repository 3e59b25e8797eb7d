import { textOption, type Command } from './command.js'
import { UsageError } from './io.js'
import { control, readSandbox } from './sandbox-file.js'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Moves the clock of a sandbox. */
export const clockAdvance: Command = {
  usage: 'clock advance TIME',
  summary: 'Moves the clock of a sandbox ahead, for good: 90s, 15m, 2h, 1d, 3w.',
  options: { sandbox: { type: 'string' } },
  run: async (args, _io, print) => {
    const seconds = secondsOf(args.words[0] ?? '')
    const { rest_url: url, platform_key: key } = await readSandbox(textOption(args, 'sandbox'))
    const moved = (await control(`${url}/sandbox/clock`, { advance_seconds: seconds }, key)) as { now: string }
    print(moved, [`It is ${moved.now} now.`])
  },
}

function secondsOf(time: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(time) ?? []
  if (count === undefined || Number(count) === 0) throw new UsageError('TIME has to look like 90s, 15m, 2h, 1d or 3w.')
  return Number(count) * (SECONDS[unit] ?? 0)
}
