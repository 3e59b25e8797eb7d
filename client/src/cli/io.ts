/** What the command line touches of the world around it. */
export interface CliIo {
  out: (line: string) => void
  err: (line: string) => void
  /** Everything on standard input. */
  readInput: () => Promise<string>
  env: CliEnv
  /** Ends what goes on until it is told to. */
  signal: AbortSignal
}

/** What the command line reads of the environment. */
export interface CliEnv {
  /** `PAYMENTS_URL` */
  url: string | undefined
  /** `PAYMENTS_API_KEY` */
  apiKey: string | undefined
  /** Where the key is kept: `payments/credentials.json` in the folder for settings. */
  credentialsFile: string
}

/** The command line was used wrongly; the message is one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** It cannot be done here; the message says what to do about it. */
export class NotPossibleError extends Error {
  override readonly name = 'NotPossibleError'
}
