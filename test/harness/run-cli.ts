import type { CliOutput } from '../../kernel/command-line.js'

type Cli = (args: readonly string[], output: CliOutput, environment: NodeJS.ProcessEnv) => Promise<number>

/** Runs a command line in this process. @returns what it ends with, and what it printed */
export async function runCli(
  cli: Cli,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ exitCode: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) }
  const exitCode = await cli(args, output, environment)
  return { exitCode, out: out.join('\n'), err: err.join('\n') }
}
