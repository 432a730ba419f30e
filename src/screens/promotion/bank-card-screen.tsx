import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { readCardNumber } from '../../../domain/bank-card.ts'
import { addBankCard, listBankCards, removeBankCard, type BankCard } from '../../../contract/api/trade.ts'
import {
  checkProof,
  NO_PROOF,
  proofBody,
  ProofFields,
  Form,
  useForm,
  RULES,
} from '../../features/account/form.tsx'
import { useToken } from '../../data/client/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { keyOf, call, queryFor } from '../../data/client/call.ts'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Card, List, Row, Stack, TextLink } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import styles from './bank-card-screen.module.css'
import { BETWEEN_FACTS } from '../../i18n/between-facts.ts'

export function BankCardScreen() {
  const cards = useQuery({ ...queryFor(listBankCards, {}, useToken()), retry: 1 })
  return (
    <Stack narrow>
      <FormattedMessage id="title.bankCard" tagName="h1" />
      {cards.error ? <ErrorNotice error={cards.error} onRetry={() => void cards.refetch()} /> : null}
      {cards.isPending ? <Skeleton height={120} /> : null}
      {cards.data?.length === 0 ? <Empty icon={CreditCard} text="card.none" /> : null}
      <List>
        {(cards.data ?? []).map((card) => (
          <BankCardEntry key={card.id} card={card} />
        ))}
      </List>
      {cards.data ? <CardForm key={cards.data.length} /> : null}
      <TextLink to="/pages/user/withdrawal" text="title.withdrawal" />
    </Stack>
  )
}

function BankCardEntry({ card }: { card: BankCard }) {
  const format = useFormat()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const removal = useMutation({
    mutationFn: () => call(removeBankCard, { id: card.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(listBankCards) }),
    onSettled: () => setAsking(false),
  })
  return (
    <Card className={styles.card}>
      <Row as="span">
        <CreditCard aria-hidden="true" size={22} />
        <span>
          <strong>{card.bank}</strong>
          <br />
          <span className={texts.soft}>
            {card.name}
            {BETWEEN_FACTS}
            {format.card(card.cardNumber)}
          </span>
        </span>
      </Row>
      {removal.error ? <ErrorNotice error={removal.error} /> : null}
      <Button onClick={() => setAsking(true)} text="common.delete" />
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={<FormattedMessage id="card.sure" />}
        actions={
          <>
            <Button onClick={() => setAsking(false)} text="common.cancel" />
            <Button primary busy={removal.isPending} onClick={() => removal.mutate()} text="common.delete" />
          </>
        }
      >
        <p>
          {card.bank}
          {BETWEEN_FACTS}
          {format.card(card.cardNumber)}
        </p>
      </Dialog>
    </Card>
  )
}

function CardForm() {
  const intl = useIntl()
  const client = useQueryClient()
  const { field, form } = useForm({
    initial: { name: '', bank: '', cardNumber: '', ...NO_PROOF },
    check: (of) => ({
      name: RULES.needed(of.name),
      bank: RULES.needed(of.bank),
      cardNumber: readCardNumber(of.cardNumber) === null ? 'field.card' : null,
      ...checkProof(of),
    }),
    send: ({ name, bank, cardNumber, ...proof }) =>
      call(addBankCard, { name, bank, cardNumber, ...proofBody(proof) }),
    onDone: async () => {
      showToast(intl.formatMessage({ id: 'card.saved' }), 'good')
      await client.invalidateQueries({ queryKey: keyOf(listBankCards) })
    },
  })
  return (
    <Panel title={<FormattedMessage id="card.add" />}>
      <Form {...form} label="common.save">
        <TextField
          label={<FormattedMessage id="card.holder" />}
          maxLength={40}
          autoComplete="cc-name"
          {...field('name')}
        />
        <TextField label={<FormattedMessage id="card.bank" />} maxLength={60} {...field('bank')} />
        <TextField
          label={<FormattedMessage id="card.number" />}
          hint={<FormattedMessage id="card.stored" />}
          inputMode="numeric"
          autoComplete="off"
          {...field('cardNumber')}
        />
        <ProofFields field={field} />
      </Form>
    </Panel>
  )
}
