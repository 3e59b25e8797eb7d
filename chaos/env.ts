/** What a process of the harness needs of this machine, and nothing of what was set for us. */
export const machineEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'HOME'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
