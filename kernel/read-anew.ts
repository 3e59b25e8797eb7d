type Handler = (...args: unknown[]) => unknown

/** What resolvers are given, as far as it is looked at here. */
interface Context {
  deps: unknown
  /** Absent where a subgraph's resolvers are called by themselves. */
  newDeps?: () => unknown
  hasActed?: boolean
}

/**
 * Has each field of a mutation behind the first begin with loaders of its own: what the fields before it have shown was read before it
 * writes, and what it shows is read after that.
 * @param handlers the resolvers of `Mutation` by field, changed in place
 */
export function readAnew(handlers: Record<string, unknown>): void {
  for (const [field, handler] of Object.entries(handlers) as [string, Handler][]) {
    handlers[field] = (...args: unknown[]): unknown => {
      const context = args[2] as Context
      if (context.hasActed && context.newDeps) context.deps = context.newDeps()
      context.hasActed = true
      return handler(...args)
    }
  }
}
