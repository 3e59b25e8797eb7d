import { readOptions, USAGE, type Options } from './options.js'
import { findingLine, report, summary } from './report.js'
import { attack, settle } from './run-seed.js'
import { startWorld, type World } from './world/world.js'

const SEEDS_OF_A_WORLD = 20

/** Runs the seeds. @returns whether nothing was found */
async function main({ seeds, minutes, only, nodes }: Options): Promise<boolean> {
  let found = 0
  let world: World | undefined
  const end = async (keepsFolder: boolean): Promise<void> => {
    const findings = (await world?.stop({ keepsFolder })) ?? []
    world = undefined
    found += findings.length
    if (findings.length > 0) console.log(['At the end', ...findings.map(findingLine)].join('\n'))
  }
  for (const [index, seed] of seeds.entries()) {
    // The sandbox's payers have money for so long; without it a load would be less than it says.
    if (index % SEEDS_OF_A_WORLD === 0) await end(false)
    world ??= await startWorld({ nodes })
    for (const result of await settle(world, [await attack(world, { seed, minutes, only })])) {
      console.log(summary(result))
      if (result.findings.length === 0) continue
      found += result.findings.length
      console.log(report(result, world.folder))
      // What comes next must not be blamed for it.
      await end(true)
    }
  }
  await end(found > 0)
  return found === 0
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
