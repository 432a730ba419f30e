/** Words divided by blanks. */
const names = (text: string): string[] => text.split(/\s+/)

/**
 * Names that columns of racing files commonly have for the fields of our own layout, in English, Chinese and Japanese; compared
 * without case, blanks and punctuation. The first of two that a file has is the better one.
 */
export const FIELD_NAMES: Readonly<Record<string, readonly string[]>> = {
  stadium: names('racecourse stadium venue meeting racetrack course track 馬場 马场 競馬場 場名 開催'),
  date: names('date racedate meetingdate raceday day 日期 賽期 赛期 賽日 赛日 日付 年月日 開催日'),
  race_no: names('raceno racenumber racenum rno race raceindex r 場次 场次 レース番号 レース r番号'),
  starts_at_utc: names('startsatutc startutc posttimeutc offutc'),
  race_name_en: names('racename racetitle 賽事名稱 赛事名称 レース名'),
  race_class: names('raceclass class grade 班次 班級 赛事班次 賽事班次 クラス'),
  track: names('surface tracktype 跑道 芝ダ 芝ダート コース種別 track'),
  course: names('config rail courseconfig course 賽道 赛道'),
  distance_m: names('distancem distm distance dist courselen 途程 路程 距離 距离'),
  going: names('going trackcondition groundstate condition 場地狀況 场地状况 地況 馬場状態'),
  weather: names('weather 天氣 天气 天候'),
  horse_no: names(
    `horseno horsenumber saddleno saddlenumber saddlecloth saddle clothno cloth tabno tabnumber
    programnumber runnerno number num no 馬號 马号 馬番 號碼 号码`,
  ),
  brand: names('brand brandno horsecode horseid 烙號 烙号 馬匹編號 马匹编号'),
  horse_name_en: names('horsename horse runnername runner name 馬名 马名'),
  jockey: names('jockey jockeyname rider 騎師 骑师 騎手'),
  trainer: names('trainer trainername 練馬師 练马师 調教師'),
  draw: names('draw barrier stall stalls gate postposition 檔位 档位 排檔'),
  actual_weight_lb: names(
    'actualweight actualwt weightcarried lbs weight wt wgt 實際負磅 实际负磅 負磅 负磅 斤量 負担重量',
  ),
  declared_weight_lb: names(
    'declaredweight declaredwt declaredhorseweight bodyweight horseweight 排位體重 排位体重 體重 体重 馬体重',
  ),
  rating: names('rating officialrating handicaprating or 評分 评分'),
  gear: names('gear equipment headgear hg 配備 配备'),
  age: names('age horseage 馬齡 马龄 年齡 年龄 馬齢 年齢 齢'),
  sex: names('sex gender horsesex 性別 性别 性'),
  owner: names('owner ownername 馬主 马主 馬主名'),
  silks: names('silks colours colors'),
  place: names(
    'place placing finishposition finishingposition finish position pos plc rank result 名次 着順 確定着順',
  ),
  win_odds: names(
    'winodds finalodds dec odds startingprice sp price 獨贏賠率 独赢赔率 賠率 赔率 単勝オッズ 単勝 オッズ',
  ),
  // Behind the winner: not `btn` and 着差, which are behind the horse in front.
  margin: names('margin lbw ovrbtn lengths beaten behind 頭馬距離 头马距离'),
  running_position: names('runningpositions runningposition positions 沿途走位 通過 通過順'),
  finish_time: names('finishtime finishingtime racetime time 完成時間 完成时间 時間 タイム'),
  gameplay_class: names('pool bettype market bet 彩池 投注種類 券種 式別'),
  combination: names('combination winningcombination numbers selections 勝出組合 胜出组合 組合 馬番'),
  dividend: names('dividend payout pays payoff amount 派彩 払戻金 払戻 配当'),
  seen_at_utc: names('seenatutc seenat timestamp recordedat at time 時間 時刻'),
  section: names('section sectionno sectional split 分段'),
  position: names('position pos 位置 名次'),
  time: names('sectiontime sectionaltime splittime time 分段時間'),
}

/** A column name that tells its numbers' unit. */
export const UNIT_NAMES: readonly { fields: readonly string[]; unit: string; name: RegExp }[] = [
  {
    fields: ['actual_weight_lb', 'declared_weight_lb'],
    unit: 'kg',
    name: /kg|kilo|公斤|千克|斤量|負担重量|馬体重/i,
  },
  { fields: ['distance_m'], unit: 'furlongs', name: /furlong|\(f\)|_f$/i },
  { fields: ['distance_m'], unit: 'yards', name: /yard|\(y\)|_y$/i },
]

/** Words in place of a place, of horses that did not run. */
export const WITHDRAWN_WORDS = new Set(
  names('WV WV-A WX WX-A WXNR SCR NR WD SCRATCHED WITHDRAWN 取 除 取消 除外 退出'),
)
/** Words in place of a place, of horses that ran and have none. */
export const UNFINISHED_WORDS = new Set(
  names('PU UR F FE FELL BD RO RR REF CO SU LFT DNF TNP DISQ DSQ DQ 中 失 中止 失格'),
)
/** A place with what marks a dead heat, an ordinal, or a demotion: `1 DH`, `=3`, `2nd`, `4(降)`. */
export const MARKED_PLACE = /^=? ?(\d{1,2})(?: ?(?:DH|dh|=|st|nd|rd|th|着|\(降\)| 平頭馬))$|^= ?(\d{1,2})$/
