import { EnvError } from '../../../kernel/env.js'
import { AppError } from '../../../kernel/errors.js'
import { NotAvailableError } from '../../../kernel/sandbox-file.js'
import { erasePerson } from '../domain/erase-person.js'
import { identitiesOf } from '../domain/identity.js'
import { loadKycEnv } from '../env.js'
import { reseal } from '../store/reseal.js'
import { openKyc, type OpenKyc } from './open-kyc.js'
import { readCommand, USAGE, UsageError, type KycCommand } from './read-command.js'

/** Where the command line writes to. */
export interface CliOutput {
  out: (line: string) => void
  err: (line: string) => void
}

/**
 * `npm run kyc -- …`: prints one JSON document, or one message on standard error.
 * @returns the exit code: 0, 1 where it could not be done, 2 where it was used wrongly
 */
export async function kycCli(
  args: readonly string[],
  output: CliOutput,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    output.out(USAGE)
    return 0
  }
  try {
    const command = readCommand(args)
    const kyc = await openKyc(loadKycEnv(environment))
    try {
      output.out(JSON.stringify(await runCommand(kyc, command), null, 2))
    } finally {
      await kyc.db.close()
    }
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.err(`${error.message}\n\n${USAGE}`)
      return 2
    }
    if (!(error instanceof AppError || error instanceof EnvError || error instanceof NotAvailableError)) throw error
    output.err(error.message)
    return 1
  }
}

async function runCommand({ deps, vault, accesses, db }: OpenKyc, command: KycCommand): Promise<object> {
  if (command.name === 'rotate') return { sealed_again: await reseal(db, vault) }
  const tenant = { id: command.tenantId }
  if (command.name === 'erase') {
    const { personId, sessions } = await erasePerson(deps, tenant, command)
    return { erased: personId, sessions }
  }
  const [identity] = identitiesOf(command)
  const person = identity && (await deps.people.find(tenant.id, identity))
  if (!person) throw new AppError('kyc_not_found')
  return { person: person.id, accesses: await accesses.list(tenant.id, person.id) }
}
