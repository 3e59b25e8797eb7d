/** Stands for the death of a process: nothing that came after it happened. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Where a process dies: at its n-th call of a store, a provider or the chain, before it or after what it did. */
export interface CrashPlan {
  atStep: number
  side: 'before' | 'after'
}

/**
 * The same dependencies, of a process that dies on the way. Each call of something that lasts is a step; a step within another one
 * is counted too, so that a process may die in a transaction, which undoes it.
 * @param names of the dependencies whose functions are steps
 */
export function mortal<Deps extends object>(deps: Deps, names: readonly (keyof Deps)[], plan: CrashPlan): Deps {
  let count = 0
  let isDead = false
  const end = (index: number): void => {
    if (index === plan.atStep && plan.side === 'after') isDead = true
    if (isDead) throw new Crash(`after step ${index}`)
  }
  const step = (work: (...args: unknown[]) => unknown) =>
    function called(...args: unknown[]): unknown {
      const index = count++
      if (index === plan.atStep && plan.side === 'before') isDead = true
      if (isDead) throw new Crash(`before step ${index}`)
      const result = work(...args)
      if (!(result instanceof Promise)) {
        end(index)
        return result
      }
      return result.then((value: unknown) => {
        end(index)
        return value
      })
    }
  const stepsOf = (of: object): object =>
    Object.fromEntries(
      Object.entries(of).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'function' ? step(value as (...args: unknown[]) => unknown) : value,
      ]),
    )
  const wrapped = names.map((name) => {
    const value = deps[name]
    const isFunction = typeof value === 'function'
    return [name, isFunction ? step(value as unknown as (...args: unknown[]) => unknown) : stepsOf(value as object)]
  })
  return { ...deps, ...(Object.fromEntries(wrapped) as Partial<Deps>) }
}
