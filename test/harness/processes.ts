import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process of this machine. */
export interface MachineProcess {
  pid: number
  command: string
}

/** All that a process has started, and what that has started, as /proc shows them. */
export function descendantsOf(ancestor: number): MachineProcess[] {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    return stat ? [{ pid: Number(name), ...stat }] : []
  })
  const found: MachineProcess[] = []
  for (const pids = [ancestor]; pids.length > 0;) {
    const parent = pids.pop()
    for (const child of all.filter(({ parentPid }) => parentPid === parent)) {
      found.push(child)
      pids.push(child.pid)
    }
  }
  return found
}

/** Whether a process lives. A zombie that nobody has waited for does nothing any more. */
export function isAlive(pid: number): boolean {
  const stat = statOf(pid)
  return stat !== undefined && stat.state !== 'Z'
}

/** @see proc(5): the command is in parentheses and may hold anything */
function statOf(pid: number): { command: string; state: string; parentPid: number } | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  try {
    const [, command = '', state = '', parentPid = ''] = /\((.*)\) (\w) (\d+)/.exec(readFileSync(file, 'utf8')) ?? []
    return { command, state, parentPid: Number(parentPid) }
  } catch {
    return undefined
  }
}
