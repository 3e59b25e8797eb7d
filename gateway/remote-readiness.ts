import { parse } from 'graphql'
import { GATEWAY } from './authentication/console-session.js'
import { remoteExecutor, type RemoteOptions } from './subgraph-client.js'

/** How long a subgraph may take to say that it is there. */
const DEADLINE_MS = 1_000

const ANYTHING = parse('query Readiness { __typename }')

/**
 * Whether every subgraph that is in another process answers. Each is asked as any operation asks it, so a wrong address, a
 * key that differs and a page instead of an answer count like a process that is dead; the log names the subgraph that did not answer.
 * Probes at the same time share one round, so that frequent probes cost the subgraphs nothing.
 * @returns never rejects, and answers after a second at the latest
 */
export function remoteReadiness(remotes: readonly Omit<RemoteOptions, 'deadlines'>[]): () => Promise<boolean> {
  const probes = remotes.map((remote) =>
    remoteExecutor({ ...remote, deadlines: { queryMs: DEADLINE_MS, mutationMs: DEADLINE_MS } }),
  )
  let running: Promise<boolean> | undefined

  async function askAll(): Promise<boolean> {
    const context = { requestId: 'readyz', caller: GATEWAY }
    const answers = await Promise.allSettled(
      probes.map(async (probe) => probe({ document: ANYTHING, variables: {}, context })),
    )
    return answers.every((answer) => answer.status === 'fulfilled' && answer.value.data != null)
  }

  return () => {
    running ??= askAll().finally(() => {
      running = undefined
    })
    return running
  }
}
