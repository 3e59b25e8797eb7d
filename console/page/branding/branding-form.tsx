import { Button, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { updateBrandingMutation } from '../generated/operations.js'
import { useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Allowed } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { changeOf, draftOf, type BrandingDraft, type ShownBranding } from './branding-draft.js'
import { ColorField } from './color-field.js'
import { HeadPreview } from './head-preview.js'
import { LogoField } from './logo-field.js'

/** The form, and what payers see of it. @param saved as it was when the page was opened */
export function BrandingForm({ saved: first }: { saved: ShownBranding }): ReactNode {
  const t = useText()
  const [saved, setSaved] = useState(first)
  const [draft, setDraft] = useKeptDraft<BrandingDraft>('branding', () => draftOf(first))
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ refused: Refused | undefined }>()
  const update = useAct(updateBrandingMutation)
  const set = (change: Partial<BrandingDraft>): void => {
    setDraft((now) => ({ ...now, ...change }))
    setSaid(undefined)
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    const { data, refused } = await update({ input: changeOf(draft, saved) })
    setBusy(false)
    setSaid({ refused })
    const answered = data?.updateBranding?.branding
    if (!answered) return
    setSaved(answered)
    setDraft(draftOf(answered))
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Form onSubmit={() => void save()}>
        <Stack>
          <TextInput
            label={t.common.name}
            description={t.branding.nameHint}
            maxLength={60}
            data-test="branding-name"
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <ColorField color={draft.color} onChange={(color) => set({ color })} />
          <LogoField logo={draft.logo} onChange={(logo) => set({ logo })} />
          <Textarea
            label={t.branding.origins}
            description={t.branding.originsHint}
            rows={3}
            data-test="branding-origins"
            value={draft.origins}
            onChange={(event) => set({ origins: event.currentTarget.value })}
          />
          <Refusal refused={said?.refused} />
          <Said text={said && !said.refused ? t.branding.saved : undefined} />
          <Allowed act={updateBrandingMutation}>
            <Button type="submit" loading={isBusy} data-test="branding-save">
              {t.common.save}
            </Button>
          </Allowed>
        </Stack>
      </Form>
      <HeadPreview draft={draft} />
    </SimpleGrid>
  )
}
