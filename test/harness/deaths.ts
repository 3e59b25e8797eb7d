import type { Session } from './pg-proxy.js'
import type { ProcessHarness } from './process-harness.js'
import type { ProductProcess } from './product-process.js'

/** Where the product dies: at a step, by its number in a run; before it is made, or after it without seeing its answer. */
export interface Death {
  step: number
  when: 'before' | 'after'
}

/** What was seen of the product's steps. */
export interface Watch {
  steps: string[]
  /** Whether the product was killed. */
  isDead: () => boolean
  /** Lets everything pass again. */
  stop: () => void
}

/**
 * Watches the steps by which payments change, as the proxies between the product and the outside see them, and kills the
 * product with -9 at one of them. A step is a transaction handed to the chain, a commit that wrote something, and a lock
 * given back. What lies between two steps are reads and statements that no commit has made real: dying there leaves what
 * dying before the next step leaves.
 */
export function watchSteps(harness: ProcessHarness, product: ProductProcess, death?: Death): Watch {
  const steps: string[] = []
  const writing = new Map<Session, string>()
  let isDead = false
  let awaited: string | undefined
  const die = (): 'stop' => {
    isDead = true
    process.kill(product.pid, 'SIGKILL')
    return 'stop'
  }
  const passes = (name: string): 'pass' | 'stop' => {
    steps.push(name)
    if (death?.step !== steps.length - 1) return 'pass'
    if (death.when === 'before') return die()
    awaited = name
    return 'pass'
  }
  const answers = (name: string | undefined): 'pass' | 'stop' =>
    isDead || (name !== undefined && name === awaited) ? die() : 'pass'

  harness.rpc.onCall = ({ method }) => {
    if (isDead) return 'cut'
    if (method !== 'eth_sendRawTransaction') return 'pass'
    return passes(method) === 'pass' ? 'pass' : 'cut'
  }
  harness.rpc.onAnswer = async ({ method }) => {
    if (answers(method) === 'stop') await product.exited
  }
  harness.pg.onStatement = (text, session) => {
    if (isDead) return 'stop'
    // Locks have a connection that may never have seen a table. Nobody lends in these tests, so they are of payments.
    if (/pg_advisory_unlock\(hashtext/.test(text)) return passes('unlock')
    if (!session.isOfPayments) return 'pass'
    const written = writtenBy(text)
    if (written !== undefined) writing.set(session, written)
    if (!/^\s*commit/i.test(text)) return 'pass'
    const change = writing.get(session)
    writing.delete(session)
    session.running = change === undefined ? text : `commit ${change}`
    return change === undefined ? 'pass' : passes(`commit ${change}`)
  }
  harness.pg.onReply = (text) => answers(/pg_advisory_unlock\(hashtext/.test(text) ? 'unlock' : text)
  return {
    steps,
    isDead: () => isDead,
    stop: () => {
      harness.rpc.onCall = () => 'pass'
      harness.rpc.onAnswer = () => undefined
      harness.pg.onStatement = () => 'pass'
      harness.pg.onReply = () => 'pass'
    },
  }
}

/** What a statement writes first, in a word; undefined for one that writes nothing. */
function writtenBy(text: string): string | undefined {
  return /\b(?:insert into|update|delete from) "?payments"?\."?(\w+)/.exec(text)?.[1]
}
