import { FormattedMessage, useIntl } from 'react-intl'
import { useNavigate } from 'react-router-dom'
import { editProfile, type AccountInfo } from '../../../contract/api/account.ts'
import { genderOf } from '../../data/gender.ts'
import { useDictionary } from '../../data/use-site-settings.ts'
import { useRefreshAccount, useSession } from '../../data/use-session.ts'
import { AvatarEditor } from '../../features/account/avatar-editor.tsx'
import { FormSubmit } from '../../features/account/form-submit.tsx'
import { NicknameField } from '../../features/account/nickname-field.tsx'
import { RULES } from '../../features/account/rules.ts'
import { useForm } from '../../features/account/use-form.ts'
import { DictionarySelect } from '../../ui/fields/dictionary-select.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import form from '../../ui/fields/form.module.css'
import { Stack } from '../../ui/layout.tsx'
import { call } from '../../data/client/call.ts'

export function EditProfileScreen() {
  const account = useSession()
  return (
    <Stack narrow>
      <FormattedMessage id="title.editProfile" tagName="h1" />
      {account.error ? <ErrorNotice error={account.error} onRetry={() => void account.refetch()} /> : null}
      {account.data ? <ProfileForm account={account.data} /> : <Skeleton height={320} />}
    </Stack>
  )
}

function ProfileForm({ account }: { account: AccountInfo }) {
  const intl = useIntl()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const genders = useDictionary('gender', intl.locale)
  const { values, set, error, failed, busy, submit } = useForm({
    initial: {
      nickname: account.nickname,
      realName: account.realName ?? '',
      gender: String(account.gender),
    },
    check: ({ nickname }) => ({ nickname: RULES.nickname(nickname) }),
    send: ({ gender, ...of }) => call(editProfile, { ...of, gender: genderOf(gender) }),
    onDone: async () => {
      await refresh()
      showToast(intl.formatMessage({ id: 'profile.saved' }), 'good')
      void navigate('/pages/user/fypeople')
    },
  })
  return (
    <>
      <AvatarEditor url={account.headUrl} />
      <form className={form.form} onSubmit={submit} noValidate>
        <NicknameField
          value={values.nickname}
          error={error('nickname')}
          onChange={(value) => set('nickname', value)}
        />
        <TextField
          label={<FormattedMessage id="form.realName" />}
          value={values.realName}
          error={error('realName')}
          hint={<FormattedMessage id="form.optional" />}
          autoComplete="name"
          maxLength={40}
          onChange={(value) => set('realName', value)}
        />
        <DictionarySelect
          label={<FormattedMessage id="form.gender" />}
          items={genders.data ?? []}
          value={values.gender}
          onChange={(value) => set('gender', value)}
        />
        <FormSubmit failed={failed} busy={busy} label="common.save" />
      </form>
    </>
  )
}
