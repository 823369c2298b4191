clock-moment = { $weekday } { $day } { $month } { $year } الساعة { $time } ({ $zone })
clock-date = { $day } { $month } { $year }
clock-yours = الرجاء إرسال أوامرك قبل { $by }.
clock-others = أوامر { $who } منتظرة حتى { $by }.
clock-days = { $count ->
    [zero] بلا أيام
    [one] يوم واحد
    [two] يومان
    [few] { $count } أيام
    [many] { $count } يوما
   *[other] { $count } يوم
  }
weekday-mon = الاثنين
weekday-tue = الثلاثاء
weekday-wed = الأربعاء
weekday-thu = الخميس
weekday-fri = الجمعة
weekday-sat = السبت
weekday-sun = الأحد
month-jan = يناير
