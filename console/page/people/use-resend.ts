import { useState } from 'react'
import { resendInvitationMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useLanguage } from '../messages/use-text.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { mailLanguage } from './mail-language.js'
import type { ShownPerson } from './shown.js'

interface Resending {
  resend: (person: ShownPerson) => void
  /** The address that the last one was sent to. */
  sentTo: string | undefined
  refused: Refused | undefined
}

/** Sends invitations again. @param onDone called after each, as it begins anew */
export function useResend(onDone: () => void): Resending {
  const { language } = useLanguage()
  const [sentTo, setSentTo] = useState<string>()
  const [refused, setRefused] = useState<Refused>()
  const act = useProvenAct(resendInvitationMutation)
  const resend = async ({ id, email }: ShownPerson): Promise<void> => {
    setSentTo(undefined)
    const acted = await act({ id, language: mailLanguage(language) })
    setRefused(acted.refused)
    if (!acted.refused) setSentTo(email)
    onDone()
  }
  return { resend: (person) => void resend(person), sentTo, refused }
}
