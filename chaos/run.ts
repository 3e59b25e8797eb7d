import { readOptions, USAGE, type Options } from './options.js'
import { findingLine, report, summary } from './report.js'
import { attack, settle, type Attack } from './run-seed.js'
import { startHarness, type Harness } from './harness/harness.js'
import { batchesLine } from './oracle/count-batches.js'

const SEEDS_OF_A_WORLD = 20

/** Runs the seeds. @returns whether nothing was found */
async function main({ seeds, minutes, only, together, nodes }: Options): Promise<boolean> {
  let found = 0
  let harness: Harness | undefined
  const end = async (keepsFolder: boolean): Promise<void> => {
    const findings = (await harness?.stop({ keepsFolder })) ?? []
    harness = undefined
    found += findings.length
    if (findings.length > 0) console.log(['At the end', ...findings.map(findingLine)].join('\n'))
  }
  let played = 0
  for (const group of groupsOf(seeds, together)) {
    // The sandbox's payers have money for so long; without it a load would be less than it says.
    if (played + group.length > SEEDS_OF_A_WORLD) await end(false)
    played = harness ? played + group.length : group.length
    harness ??= await startHarness({ nodes })
    const attacks: Attack[] = []
    for (const seed of group) {
      attacks.at(-1)?.load.beginNoMore()
      attacks.push(await attack(harness, { seed, minutes, only }))
    }
    let isWhole = true
    for (const result of await settle(harness, attacks)) {
      console.log(summary(result))
      if (result.findings.length === 0) continue
      isWhole = false
      found += result.findings.length
      console.log(report(result, harness.folder))
    }
    const [{ view } = {}] = attacks
    if (view) console.log(await batchesLine(view.databaseUrl))
    // What comes next must not be blamed for it.
    if (!isWhole) await end(true)
  }
  await end(found > 0)
  return found === 0
}

function groupsOf(seeds: readonly number[], size: number): (readonly number[])[] {
  return Array.from({ length: Math.ceil(seeds.length / size) }, (_, at) => seeds.slice(at * size, (at + 1) * size))
}

try {
  const options = readOptions(process.argv.slice(2))
  process.exitCode = (await main(options)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error(USAGE)
  process.exitCode = 2
}
// What a fault has left open must not keep a run alive that is over.
process.exit()
