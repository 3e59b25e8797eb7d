import { runWrittenDown } from '../../../kernel/audit-command.js'
import { runCommandLine, type CliOutput } from '../../../kernel/command-line.js'
import { AppError } from '../../../kernel/errors.js'
import { erasePerson } from '../domain/erase-person.js'
import { identitiesOf } from '../domain/identity.js'
import { loadKycEnv } from '../env.js'
import { reseal } from '../store/reseal.js'
import { openKyc, type OpenKyc } from './open-kyc.js'
import { readCommand, USAGE, type KycCommand } from './read-command.js'

/** `npm run kyc -- …`; prints and returns what `runCommandLine` says. */
export function kycCli(args: readonly string[], output: CliOutput, environment?: NodeJS.ProcessEnv): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const command = readCommand(args)
    const kyc = await openKyc(loadKycEnv(environment))
    const audited = {
      operation: `kyc ${command.name}`,
      tenantId: 'tenantId' in command ? command.tenantId : null,
      // Whose record it is stays out of the log: it is a payer's.
      named: {},
    }
    const run = (): Promise<object> => runCommand(kyc, command)
    return (command.name === 'access' ? run() : runWrittenDown(kyc.target, audited, run)).finally(() => kyc.db.close())
  })
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
