/**
 * The environment of a process that the benchmark starts: this one's, without what npm sets for its own scripts, and
 * with `values`.
 */
export function environmentWith(values: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('npm_')) environment[name] = value
  }
  return { ...environment, NODE_ENV: 'production', ...values }
}
