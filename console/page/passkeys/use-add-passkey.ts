import { addPasskeyMutation, startPasskeyMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useLanguage } from '../messages/use-text.js'
import { mailLanguage } from '../people/mail-language.js'
import { loadPasskey } from '../session/load-passkey.js'
import { SessionError } from '../session/session-api.js'
import { useProvenAct } from '../session/use-proven-act.js'

/**
 * Has the browser make a passkey and the server keep it, soon after a proof.
 * @returns what is to be called with its name; it answers why the passkey was not added
 */
export function useAddPasskey(): (name: string) => Promise<{ refused?: Refused | undefined }> {
  const { language } = useLanguage()
  const start = useProvenAct(startPasskeyMutation)
  const add = useProvenAct(addPasskeyMutation)
  return async (name) => {
    const passkey = await loadPasskey().catch(() => undefined)
    if (!passkey) return { refused: { code: 'UNREACHABLE', message: '' } }
    const begun = await start({})
    if (begun.refused) return begun
    try {
      const credential = await passkey.makePasskey(begun.data.startPasskey?.passkeyCreation?.options)
      return await add({ input: { name, credential, language: mailLanguage(language) } })
    } catch (error) {
      if (error instanceof SessionError) return { refused: { code: error.code, message: error.message } }
      throw error
    }
  }
}
