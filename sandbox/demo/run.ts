import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess, UsageError, type CliOutput } from '../../kernel/command-line.js'
import { RefusedCall, type RefusedAnswer } from '../refused-call.js'
import type { Demo, DemoContext, SandboxDescription } from './demo.js'
import { loadDemoEnv } from './env.js'
import { readDemos, USAGE, warningOf } from './options.js'
import { receiveWebhooks } from './webhooks.js'

/** Shows these ways to pay against the sandbox that runs on the data folder. Throws where one does not work. */
async function show(demos: readonly Demo[]): Promise<void> {
  const sandbox = readSandbox(loadDemoEnv().dataDir)
  const webhooks = await receiveWebhooks(sandbox.webhook_secret)
  const warning = warningOf(demos)
  if (warning !== undefined) say(`\n${warning}`)
  try {
    for (const { title, run, weeks = 0 } of demos) {
      say(`\n${title}`)
      if (weeks > 0) say('  a week passes here, for the whole sandbox and for good')
      await run({
        sandbox,
        webhooks,
        call: caller(sandbox),
        say: (line) => {
          say(`  ${line}`)
        },
      })
    }
    say('\nAll of it worked.')
    if (warning !== undefined) say(await clockAhead(sandbox))
  } finally {
    webhooks.close()
  }
}

function readSandbox(dataDir: string): SandboxDescription {
  const file = join(dataDir, 'sandbox.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxDescription
  } catch {
    throw new Error(`${file} is not there: start the sandbox first (npm start).`)
  }
}

function caller({ rest_url: restUrl, api_key: apiKey }: SandboxDescription): DemoContext['call'] {
  return async (method, path, body) => {
    const response = await fetch(restUrl + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error(`nothing answers at ${restUrl}: start the sandbox first (npm start).`)
    })
    const answer = (await response.json()) as RefusedAnswer & { success?: boolean; data?: Record<string, unknown> }
    if (!answer.success || !answer.data) throw new RefusedCall(`${method} ${path}`, answer)
    return answer.data
  }
}

/** The yield demo lets time pass, and it stays passed: payments, links and webhooks from now on are in the future. */
async function clockAhead({ rest_url: restUrl }: SandboxDescription): Promise<string> {
  const { now } = (await (await fetch(`${restUrl}/sandbox/clock`)).json()) as { now: string }
  const days = ((Date.parse(now) - Date.now()) / 86_400_000).toFixed(1)
  return `The sandbox's clock is now ${days} days ahead of yours. Delete the data folder to start over.`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Exit code 1 where something did not work, 2 where it was used wrongly. */
async function demoCli(args: readonly string[], { out, err }: CliOutput): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    out(USAGE)
    return 0
  }
  try {
    await show(readDemos(args))
    return 0
  } catch (error) {
    err(error instanceof Error ? error.message : String(error))
    if (!(error instanceof UsageError)) return 1
    err(`\n${USAGE}`)
    return 2
  }
}

await runInProcess(demoCli)
