SELECT title, count(*) AS ratings, round(avg(rating), 2) AS averageRating
FROM ratedMovies
WHERE genres LIKE concat('%', ${genre}, '%')
GROUP BY title
HAVING count(*) >= CAST(${fewestRatings} AS INT)
ORDER BY averageRating DESC, title
LIMIT 10
