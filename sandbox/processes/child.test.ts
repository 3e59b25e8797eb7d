import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { startChild, type Child } from './child.js'
import { membersOfGroup, readStat } from '../../test/harness/processes.js'
import { until } from '../../test/harness/until.js'
import { startOwner, type Owner } from './fixtures/owner.js'

const children: Child[] = []
const owners: Owner[] = []

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop({ timeoutMs: 100 })))
  await Promise.all(owners.splice(0).map((owner) => owner.end('SIGKILL')))
})

function start(script: string, onLine?: (line: string) => void): Child & { pid: number } {
  const child = startChild({
    name: 'example',
    command: 'sh',
    args: ['-c', script],
    stopSignal: 'SIGTERM',
    log: createLog('silent'),
    ...(onLine && { onLine }),
  })
  children.push(child)
  if (child.pid === undefined) throw new Error('the child did not start')
  return child as Child & { pid: number }
}

/** Starts a script through another process of ours; resolves when the script, its guard and its own child run. */
async function startOwned(script: string): Promise<{ owner: Owner; pid: number }> {
  const owner = startOwner('child-owner', script)
  owners.push(owner)
  const pid = Number((await owner.firstLine)['pid'])
  await until('all processes run', () => membersOfGroup(pid).length === 3)
  return { owner, pid }
}

const deafToTerm = "trap '' TERM; sleep 1000; sleep 1000"

describe('a child process', { timeout: 30_000 }, () => {
  it('leaves no process behind when its parent is killed with -9', async () => {
    const { owner, pid } = await startOwned('sleep 1000; sleep 1000')
    await owner.end('SIGKILL')
    await until('its processes have ended', () => membersOfGroup(pid).length === 0)
  })

  it('leaves no process behind when its parent is killed with -9 and it ignores the stop signal', async () => {
    const { owner, pid } = await startOwned(deafToTerm)
    await owner.end('SIGKILL')
    await until('its processes have ended', () => membersOfGroup(pid).length === 0)
  })

  it('is stopped, unexpectedly, when its guard is killed with -9', async () => {
    const lines: string[] = []
    const child = start('echo ready; exec sleep 1000', (line) => lines.push(line))
    // The shell that forks the guard is in the group until then, and must not be taken for the guard.
    await until('it is ready', () => lines.includes('ready'))
    const guard = membersOfGroup(child.pid).find((pid) => pid !== child.pid) ?? 0
    process.kill(guard, 'SIGKILL')
    expect(await child.exited).toMatchObject({ signal: 'SIGTERM', expected: false })
    expect(membersOfGroup(child.pid)).toEqual([])
  })

  it('takes its guard and its own children along when it is killed with -9', async () => {
    const child = start('sleep 1000 & wait')
    await until('all processes run', () => membersOfGroup(child.pid).length === 3)
    process.kill(child.pid, 'SIGKILL')
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL', expected: false })
    await until('its processes have ended', () => membersOfGroup(child.pid).length === 0)
  })

  it('gets its stop signal from stop() and can end in its own way', async () => {
    const lines: string[] = []
    const child = start("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done", (line) =>
      lines.push(line),
    )
    await until('it is ready', () => lines.includes('ready'))
    expect(await child.stop()).toEqual({ code: 3, signal: null, expected: true })
    expect(lines).toEqual(['ready', 'bye'])
  })

  it('is killed by stop() when it does not end in time', async () => {
    const lines: string[] = []
    const child = start(`trap '' TERM; echo ready; while :; do sleep 0.01; done`, (line) => lines.push(line))
    await until('it is ready', () => lines.includes('ready'))
    expect(await child.stop({ timeoutMs: 50 })).toEqual({ code: null, signal: 'SIGKILL', expected: true })
  })

  it("is in a session of its own, where a terminal's Ctrl-C does not reach it", () => {
    const child = start('exec sleep 1000')
    expect(readStat(child.pid)).toMatchObject({ groupId: child.pid, sessionId: child.pid })
  })

  it('reports a command that does not exist as an exit', async () => {
    const options = { name: 'none', command: './no-such-program', args: [], stopSignal: 'SIGTERM' as const }
    const child = startChild({ ...options, log: createLog('silent') })
    expect(await child.exited).toMatchObject({ code: 127, expected: false })
    const lost = startChild({ ...options, cwd: '/no/such/folder', log: createLog('silent') })
    expect((await lost.exited).error).toBeInstanceOf(Error)
  })
})
