import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useToken } from '../../data/client/session.ts'
import { randomId } from '../../data/client/device.ts'
import {
  customerPage,
  listBankCards,
  queryMyCustomerTotal,
  settlementPage,
  withdraw,
  withdrawalPage,
  type BankCard,
} from '../../../contract/api/trade.ts'
import { checkProof, NO_PROOF, proofBody, ProofFields, Form, useForm } from '../../features/account/form.tsx'
import { Withdrawals } from '../../features/promotion/withdrawals.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { DictionarySelect } from '../../ui/fields/select.tsx'
import { Empty, ErrorNotice, Panel, Skeleton } from '../../ui/panel.tsx'
import { fieldNumber } from '../../ui/fields/field-number.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { LinkButton, Small, Stack } from '../../ui/layout.tsx'
import texts from '../../ui/text.module.css'
import { ProvidersOnly } from './providers-only.tsx'
import { askAgain, call, queryFor } from '../../data/client/call.ts'
import { userInfo } from '../../../contract/api/account.ts'

/** Reserved until it is known what may be withdrawn. */
const HEIGHT = 480
const LIMITS = { min: 0.01, max: 999_999_999.99, places: 2, needed: true }

export const WithdrawalScreen = () => (
  <Stack narrow>
    <FormattedMessage id="title.withdrawal" tagName="h1" />
    <ProvidersOnly height={HEIGHT}>{() => <Withdrawal />}</ProvidersOnly>
  </Stack>
)

function Withdrawal() {
  const format = useFormat()
  const token = useToken()
  const totals = useQuery({ ...queryFor(queryMyCustomerTotal, {}, token), retry: 1 })
  const cards = useQuery({ ...queryFor(listBankCards, {}, token), retry: 1 })
  const failed = totals.error ?? cards.error
  // The form's height depends on both, so what stands below it comes with them.
  if (totals.isPending || cards.isPending) return <Skeleton height={HEIGHT} />
  return (
    <>
      {failed ? (
        <ErrorNotice
          error={failed}
          onRetry={() => {
            void totals.refetch()
            void cards.refetch()
          }}
        />
      ) : null}
      {totals.data ? (
        <Panel title={<FormattedMessage id="promotion.withdrawable" />}>
          <p className={texts.strong}>{format.hkd(totals.data.withdrawable)}</p>
          <Small>
            <FormattedMessage id="withdrawal.waiting" values={{ amount: format.hkd(totals.data.waiting) }} />
          </Small>
        </Panel>
      ) : null}
      {cards.data?.length === 0 ? (
        <Empty action={<LinkButton to="/pages/user/bankCard" text="card.add" />} text="withdrawal.noCard" />
      ) : null}
      {cards.data && cards.data.length > 0 && totals.data ? (
        <WithdrawalForm cards={cards.data} withdrawable={totals.data.withdrawable} />
      ) : null}
      <Panel title={<FormattedMessage id="withdrawal.list" />}>
        <Withdrawals />
      </Panel>
    </>
  )
}

function WithdrawalForm({ cards, withdrawable }: { cards: readonly BankCard[]; withdrawable: string }) {
  const intl = useIntl()
  const client = useQueryClient()
  const format = useFormat()
  // Idempotency key: a second click, or a retry after a lost response, is the same request; another
  // amount or card is a new one.
  const [requestId, setRequestId] = useState(randomId)
  const { set, field, form } = useForm({
    initial: { cardId: cards[0]!.id, amount: '', ...NO_PROOF },
    check: ({ amount, ...proof }) => ({
      ...checkProof(proof),
      amount: 'value' in fieldNumber(amount, format.decimalSign, LIMITS) ? null : 'field.amount',
    }),
    send: ({ cardId, amount, ...proof }) => {
      const read = fieldNumber(amount, format.decimalSign, LIMITS)
      const written = 'value' in read ? (read.value ?? 0).toFixed(2) : amount
      return call(withdraw, { cardId, amount: written, requestId, ...proofBody(proof) })
    },
    onDone: async () => {
      setRequestId(randomId())
      set('amount', '')
      set('password', '')
      set('captcha', '')
      showToast(intl.formatMessage({ id: 'withdrawal.sent' }), 'good')
      await askAgain(client, queryMyCustomerTotal, customerPage, settlementPage, withdrawalPage, userInfo)
    },
  })
  const partOfRequest = (key: 'cardId' | 'amount') => ({
    ...field(key),
    onChange: (value: string): void => {
      setRequestId(randomId())
      set(key, value)
    },
  })
  const amount = partOfRequest('amount')
  const { failed } = form
  const read = fieldNumber(amount.value, format.decimalSign, LIMITS)
  const card = cards.find(({ id }) => id === field('cardId').value) ?? cards[0]!
  // What the button does is read once more before it is pressed.
  const asked = {
    amount: 'value' in read && read.value !== null ? format.hkd(read.value.toFixed(2)) : 'none',
    card: format.card(card.cardNumber),
  }
  useEffect(() => {
    // The response may have been lost, so the list is refetched to show the actual state.
    if (failed) void askAgain(client, withdrawalPage)
  }, [failed, client])
  return (
    <Form {...form} label="withdrawal.ask" values={asked} disabled={Number(withdrawable) <= 0}>
      <DictionarySelect
        label={<FormattedMessage id="title.bankCard" />}
        options={cards.map(({ id, bank, cardNumber }) => ({
          value: id,
          label: `${bank} ${format.card(cardNumber)}`,
        }))}
        {...partOfRequest('cardId')}
      />
      <TextField
        label={<FormattedMessage id="withdrawal.amount" />}
        hint={<FormattedMessage id="field.amount" />}
        inputMode="decimal"
        autoComplete="off"
        {...amount}
        onChange={(value) => amount.onChange(value.trim())}
        beside={<Button onClick={() => amount.onChange(withdrawable)} text="record.all" />}
      />
      <ProofFields field={field} />
    </Form>
  )
}
