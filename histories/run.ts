import { parseArgs } from 'node:util'
import type { Database } from '../kernel/database.js'
import { historyOf, play, shrunk, type History } from './history.js'
import { openOwnDatabase } from './own-database.js'

const USAGE = 'npm run histories -- [--count 1000] [--seed 1] [--database]'
const PROGRESS_EVERY = 10_000
/** So many are shrunk and shown. */
const SHOWN = 5

/** Reads what is wanted, and plays. @returns the exit code: 1 where one went wrong */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string' },
      seed: { type: 'string' },
      database: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  const [count, first] = [Number(values.count ?? '1000'), Number(values.seed ?? '1')]
  if (values.help === true || !Number.isSafeInteger(count) || !Number.isSafeInteger(first) || count < 1) {
    console.log(USAGE)
    return values.help === true ? 0 : 2
  }
  if (!values.database) return playAll(count, first)
  const { db, close } = await openOwnDatabase()
  return playAll(count, first, db).finally(close)
}

/** Plays the histories of the seeds from `first` on, on a database where one is given. */
async function playAll(count: number, first: number, database?: Database): Promise<number> {
  const playing = database ? { database } : {}
  const begun = performance.now()
  let failed = 0
  for (let seed = first; seed < first + count; seed += 1) {
    const faults = await play(historyOf(seed), playing)
    const played = seed - first + 1
    if (played % PROGRESS_EVERY === 0) console.log(`${played} of ${count}, ${failed} went wrong`)
    if (faults.length === 0) continue
    failed += 1
    if (failed > SHOWN) continue
    const least = await shrunk(historyOf(seed), (one) => play(one, playing))
    console.log(`seed ${seed}: ${(await play(least, playing)).join('; ')}`)
    console.log(textOf(least))
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${count} histories from seed ${first}: ${failed} went wrong, ${seconds} s`)
  return failed > 0 ? 1 : 0
}

/** A history as people read it: what it begins with, then a line for each step. */
function textOf({ terms, funded, starts, steps }: History): string {
  const begin = [...starts.map((start) => JSON.stringify(start)), JSON.stringify({ ...terms, funded })]
  return [...begin, ...steps.map((step) => `  ${JSON.stringify(step)}`)].join('\n')
}

process.exitCode = await main()
