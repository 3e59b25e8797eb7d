import 'reflect-metadata'
import { adjustableClock } from '../kernel/clock.js'
import { EnvError } from '../kernel/env.js'
import { createLog } from '../kernel/log.js'
import { helpText, loadEnv } from './env.js'
import { startProduct } from './start-product.js'
import { startTracing } from './tracing.js'
import { welcome } from './welcome.js'

/** From the word to stop to the end of the process. */
const EXIT_MS = 9_500

/** Starts the product, and stops it when it is told to. */
async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(helpText())
    return
  }
  const env = loadEnv()
  const log = createLog(env.logLevel)
  const tracing = await startTracing(env)
  const giveUp = Promise.withResolvers<Error>()
  const product = await startProduct({
    env,
    clock: adjustableClock(0, env.clockSkewSeconds * 1000),
    log,
    onGiveUp: giveUp.resolve,
  })
  console.log(welcome(product, env.roles))
  const failure = await Promise.race([stopSignal(env.isUnderNpm), giveUp.promise])
  log.info('stopping')
  // The last resort: the process ends before its supervisor kills it, whatever the parts do.
  setTimeout(() => {
    log.warn('the product did not stop in time')
    process.exit(failure ? 1 : 0)
  }, EXIT_MS).unref()
  await product.stop()
  await tracing?.stop()
  if (failure) throw failure
}

/** Resolves when the product is told to stop, or has lost the npm that started it. */
function stopSignal(isUnderNpm: boolean): Promise<undefined> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve(undefined)
    }
    // Ctrl-C comes twice, from the terminal and from npm: the second one changes nothing.
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    if (!isUnderNpm) return
    const npm = process.ppid
    // A kill -9 of npm is meant for the whole product.
    setInterval(() => {
      if (process.ppid !== npm) stop()
    }, 1000).unref()
  })
}

try {
  await main()
  process.exitCode = 0
} catch (error) {
  if (error instanceof EnvError) for (const problem of error.problems) console.error(problem)
  else console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
// Only a connection that was left open can hold the process now.
process.exit()
