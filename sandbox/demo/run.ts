import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cardDemos } from './card.js'
import { cryptoDemos } from './crypto.js'
import type { Demo, DemoWorld, SandboxDescription } from './demo.js'
import { kycDemos } from './kyc.js'
import { loadDemoEnv } from './env.js'
import { pixDemos } from './pix.js'
import { solanaDemos } from './solana.js'
import { subscriptionDemos } from './subscription.js'
import { receiveWebhooks } from './webhooks.js'
import { yieldDemos } from './yield.js'

/** Every way to pay that the sandbox shows. */
const DEMOS: readonly Demo[] = [
  ...cryptoDemos,
  ...solanaDemos,
  ...pixDemos,
  ...cardDemos,
  ...subscriptionDemos,
  ...kycDemos,
  ...yieldDemos,
]

/** Shows each way to pay against the sandbox that runs on the data folder; ends with 1 where one did not work. */
async function main(): Promise<void> {
  const sandbox = readSandbox(loadDemoEnv().dataDir)
  const webhooks = await receiveWebhooks(sandbox.webhook_secret)
  try {
    for (const { title, run } of DEMOS) {
      say(`\n${title}`)
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
    say(await clockAhead(sandbox))
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

function caller({ rest_url: restUrl, api_key: apiKey }: SandboxDescription): DemoWorld['call'] {
  return async (method, path, body) => {
    const response = await fetch(restUrl + path, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error(`nothing answers at ${restUrl}: start the sandbox first (npm start).`)
    })
    const answer = (await response.json()) as { success?: boolean; data?: Record<string, unknown> }
    if (!answer.success || !answer.data) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`)
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

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
