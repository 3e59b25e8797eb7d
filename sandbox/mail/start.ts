import { portOf, type SimulatorHome } from '../state.js'
import { startMailSimulator } from './simulator.js'

/** The sandbox's mail server, running. */
export type MailSandbox = Awaited<ReturnType<typeof startMailSandbox>>

/** Starts the mail server on the sandbox's folder. Rejects where a port is taken. */
export async function startMailSandbox({ file, clock }: Omit<SimulatorHome, 'dataDir'>) {
  const simulator = await startMailSimulator({
    port: await portOf(file, 'mailbox'),
    smtpPort: await portOf(file, 'smtp'),
    clock,
  })
  return {
    mail: { url: simulator.smtpUrl, from: 'Payments API sandbox <no-reply@sandbox.example>' },
    mailboxUrl: simulator.mailboxUrl,
    close: () => simulator.close(),
  }
}
