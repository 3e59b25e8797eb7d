import { readdir, readFile } from 'node:fs/promises'

/**
 * Stops a process and all that it has started, as a machine that swaps does. PostgreSQL's servers have sessions of their
 * own, so that no signal to a group reaches them all.
 * @returns what resumes those that were stopped, also where their parent has ended meanwhile
 */
export async function freezeTree(pid: number): Promise<() => void> {
  const parents = await parentsOfAll()
  const tree = [pid]
  for (const parent of tree) {
    for (const [child, its] of parents) if (its === parent) tree.push(child)
  }
  for (const member of tree) send(member, 'SIGSTOP')
  return () => {
    for (const member of tree) send(member, 'SIGCONT')
  }
}

/** Sends a signal to a process; one that is gone needs none. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The parent of each process of the machine. */
async function parentsOfAll(): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined)
    // Fields of proc(5): the second one, the name, may hold blanks but ends with `)`; the fourth is the parent.
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  return parents
}
